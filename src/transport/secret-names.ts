/** Parts of names that say, in anybody's interface, that the value is a secret. */
const SECRET_PART = /authori[sz]ation|api[-_ ]?key|secret|passw|passphrase|token|cookie|credential|signature|session/i;
/** Names that are parts of harmless ones, in small letters. */
const SECRET_WHOLE = ['pwd', 'sig', 'pin'];

/**
 * Whether the name of a field, parameter, header or setting says that its value is a secret.
 * @param declared names beside these, in small letters: the `secret` of `RequestFields`
 */
export function isSecretName(name: string, declared: readonly string[] = []): boolean {
  if (SECRET_PART.test(name)) return true;
  const small = name.toLowerCase();
  return SECRET_WHOLE.includes(small) || declared.includes(small);
}

/**
 * Finds in JSON whatever may be a secret name, and more: a text in which it finds nothing has no member for which
 * `isSecretName` is true. Takes one search, where each name would take one.
 */
export function maybeSecretNames(declared: readonly string[]): RegExp {
  const whole = [...SECRET_WHOLE, ...declared].map((name) => name.replace(/[^a-z0-9]/g, '.'));
  return new RegExp(`${SECRET_PART.source}|"(?:${whole.join('|')})"`, 'iu');
}

/** Ends of names that say it of parameters only: fields have keys of many kinds, such as that of a product. */
const PARAMETER_END = /(key|pwd|sig)$/i;

/** Whether the name of a parameter in an address says that its value is a secret, where `isSecretName` may not say it of a field. */
export function isSecretInAddress(name: string, isSecret: (name: string) => boolean): boolean {
  return isSecret(name) || PARAMETER_END.test(name);
}

/** Parts of names that say, in anybody's interface, that the value is a secret. */
const SECRET_PART = /authori[sz]ation|api[-_ ]?key|secret|passw|passphrase|token|cookie|credential|signature|session/i;
/** Names that are parts of harmless ones. */
const SECRET_WHOLE = /^(pwd|sig|pin)$/i;

/**
 * Whether the name of a field, parameter, header or setting says that its value is a secret.
 * @param declared names beside these, in small letters: the `secret` of `RequestFields`
 */
export function isSecretName(name: string, declared: readonly string[] = []): boolean {
  return SECRET_PART.test(name) || SECRET_WHOLE.test(name) || declared.includes(name.toLowerCase());
}

/** Ends of names that say it of parameters only: fields have keys of many kinds, such as that of a product. */
const PARAMETER_END = /(key|pwd|sig)$/i;

/** Whether the name of a parameter in an address says that its value is a secret, where `isSecretName` may not say it of a field. */
export function isSecretInAddress(name: string, isSecret: (name: string) => boolean): boolean {
  return isSecret(name) || PARAMETER_END.test(name);
}

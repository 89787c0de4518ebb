import winston from 'winston';

/** A log line is an event with fields; never a whole body, address, token or URL query. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  /** What we retry. */
  warn(event: string, fields?: LogFields): void;
  /** What a person must act on. */
  error(event: string, fields?: LogFields): void;
  /** A log whose lines all carry these fields. */
  child(fields: LogFields): Log;
}

export type LogFields = Readonly<Record<string, unknown>>;

export interface LogSettings {
  readonly level: string;
  readonly format: 'json' | 'pretty';
  /** Values that are masked wherever they appear, as a net below the rule that they are never logged. */
  readonly secrets: readonly string[];
  /** `stderr` for a command that prints a report on standard output; default: `stdout`. */
  readonly to?: 'stdout' | 'stderr';
}

const MASK = '***';
const LEVELS = ['error', 'warn', 'info', 'debug'];
const SHORTEST_SECRET = 4;

/** The process's log: one line an event on standard output, or on standard error. */
export function createLog(settings: LogSettings): Log {
  const mask = masker(settings.secrets);
  const logger = winston.createLogger({
    level: settings.level,
    format: winston.format.combine(
      winston.format.timestamp(),
      winston.format((line) => mask(line) as winston.Logform.TransformableInfo)(),
      settings.format === 'json' ? winston.format.json() : winston.format.printf(prettyLine),
    ),
    transports: [new winston.transports.Console({ stderrLevels: settings.to === 'stderr' ? LEVELS : [] })],
  });
  return wrap(logger, {});
}

/** For tests and tools that want no lines. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};

function wrap(logger: winston.Logger, bound: LogFields): Log {
  const at = (level: string) => (event: string, fields?: LogFields) => {
    // Asked here, because winston writes a line out before it asks.
    if (logger.isLevelEnabled(level)) logger.log(level, event, { ...bound, ...flattenErrors(fields) });
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => wrap(logger, { ...bound, ...fields }),
  };
}

/** An error object may carry a whole request with its token: only its name and message are kept. */
function flattenErrors(fields: LogFields = {}): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? `${value.name}: ${value.message}` : value,
    ]),
  );
}

/** Replaces every secret in every text of a value; keeps symbols, which winston needs. */
export function masker(secrets: readonly string[]): (value: unknown) => unknown {
  const hidden = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
  // One search tells that a text holds none of many secrets.
  const any = new RegExp(hidden.length === 0 ? '(?!)' : hidden.map(escaped).join('|'));
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string')
      return any.test(value) ? hidden.reduce((text, secret) => text.replaceAll(secret, MASK), value) : value;
    if (Array.isArray(value)) return value.map(mask);
    if (value === null || typeof value !== 'object' || value instanceof Date) return value;
    const copy: Record<string | symbol, unknown> = {};
    for (const key of Reflect.ownKeys(value)) copy[key] = mask((value as Record<string | symbol, unknown>)[key]);
    return copy;
  };
  return mask;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Values that must never be seen, of which more become known while the process runs. */
export interface Hidden {
  add(secrets: readonly string[]): void;
  /** A text without any of them. */
  mask(text: string): string;
  /** A log without any of them. */
  over(log: Log): Log;
}

/** Beyond so many the oldest of those that were found later are not looked for any more. */
const MAX_FOUND_LATER = 2_000;

/** @param known from the start: a log of its own hides these already */
export function createHidden(known: readonly string[]): Hidden {
  const found = new Set<string>();
  let maskAll = masker(known);
  let maskFound = masker([]);
  const over = (log: Log): Log => {
    const at = (level: Exclude<keyof Log, 'child'>) => (event: string, fields?: LogFields) =>
      log[level](event, found.size === 0 ? fields : (maskFound(flattenErrors(fields)) as LogFields));
    return {
      ...{ debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
      child: (fields) => over(log.child(fields)),
    };
  };
  return {
    add: (secrets) => {
      for (const secret of secrets) found.add(secret);
      for (const oldest of found) if (found.size > MAX_FOUND_LATER) found.delete(oldest);
      maskAll = masker([...known, ...found]);
      maskFound = masker([...found]);
    },
    mask: (text) => String(maskAll(text)),
    over,
  };
}

/** What a text says must not look like another line, nor move the cursor of a terminal. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function prettyLine(line: winston.Logform.TransformableInfo): string {
  const { timestamp, level, message, ...fields } = line;
  const rest = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return visible(
    `${String(timestamp).slice(11, 23)} ${level.padEnd(5)} ${String(message)} ${rest.join(' ')}`.trimEnd(),
  );
}

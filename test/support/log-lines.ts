import type { LogFields, Log } from '../../src/log.js';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields: LogFields;
}

/** A log that keeps its lines for a test to look at. */
export function keepLog(): { readonly log: Log; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  return { log: logInto(lines, {}), lines };
}

function logInto(lines: LogLine[], bound: LogFields): Log {
  const at = (level: LogLine['level']) => (event: string, fields?: LogFields) => {
    lines.push({ level, event, fields: { ...bound, ...fields } });
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => logInto(lines, { ...bound, ...fields }),
  };
}

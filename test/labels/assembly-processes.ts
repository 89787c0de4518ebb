import { readFileSync, readdirSync } from 'node:fs';

/** Of each process that reads labels for this one: what Linux says of it. */
export function assemblyProcesses(): readonly { readonly pid: number; readonly residentMb: number }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const status = textOf(`/proc/${pid}/status`);
    const ours = field(status, 'PPid') === process.pid && textOf(`/proc/${pid}/cmdline`).includes('assembly-process');
    return ours ? [{ pid: Number(pid), residentMb: field(status, 'VmRSS') / 1_024 }] : [];
  });
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

/** Nothing when the process has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

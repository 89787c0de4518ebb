import { digitTimes } from './zpl-graphic.js';

const DIGIT = /[0-9a-f]/i;

/**
 * The digits of a picture in ZPL, each written out as often as it comes.
 * @param row digits in a row; 0: the picture says none
 * @param most digits
 * @returns `null`: there are more
 */
export function plainDigits(text: string, row: number, most: number): string | null {
  const written = new Rows(row);
  let times = 0;
  for (const sign of text) {
    const more = digitTimes(sign);
    times += more;
    if (times > most) return null;
    if (more > 0) continue;
    if (DIGIT.test(sign)) written.add(sign, Math.max(1, times));
    else written.end(sign);
    times = 0;
    if (written.length > most) return null;
  }
  return written.all();
}

/** Rows that are complete, and the one that is being written. */
class Rows {
  private readonly parts: string[] = [];
  private above = '';
  private current = '';
  private complete = 0;

  constructor(private readonly row: number) {}

  get length(): number {
    return this.complete + this.current.length;
  }

  add(digit: string, times: number): void {
    const free = this.row - this.current.length;
    if (this.row === 0 || times < free) {
      this.current += digit.repeat(times);
      return;
    }
    this.push(this.current + digit.repeat(free));
    const rest = times - free;
    const whole = Math.floor(rest / this.row);
    if (whole > 0) this.push(digit.repeat(whole * this.row));
    this.current = digit.repeat(rest % this.row);
  }

  /** `,` and `!` end a row, `:` repeats the one above; other signs mean nothing. */
  end(sign: string): void {
    if (sign === ',') this.push(this.current.padEnd(this.row, '0'));
    else if (sign === '!') this.push(this.current.padEnd(this.row, 'F'));
    else if (sign === ':') this.push(this.above.padEnd(this.row, '0'));
    if (sign === ',' || sign === '!') this.current = '';
  }

  all(): string {
    return this.parts.join('') + this.current;
  }

  private push(digits: string): void {
    this.parts.push(digits);
    this.complete += digits.length;
    this.above = digits.slice(digits.length - this.row);
  }
}

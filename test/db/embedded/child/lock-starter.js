// Takes the lock of a folder when it is told to, says how that went, and keeps it until its input ends.
import { createInterface } from 'node:readline';

const [, , program, folder] = process.argv;
const { lockDataDir } = await import(program);
const lines = createInterface({ input: process.stdin });
process.stdout.write('ready\n');
lines.once('line', async () => {
  try {
    await lockDataDir(folder, ({ message }) => {
      process.stdout.write(`lost ${message}\n`);
      process.exit(74);
    });
    process.stdout.write('got\n');
  } catch (error) {
    process.stdout.write(`${error.name} ${error.message}\n`);
  }
});
lines.once('close', () => process.exit(0));

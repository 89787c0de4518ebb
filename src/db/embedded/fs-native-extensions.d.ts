/** The package has no types; these are the functions that we use. */
declare module 'fs-native-extensions' {
  /** @returns whether the range of the open file is locked now; a lock of another open file, also of this process, refuses it */
  export function tryLock(descriptor: number, offset: number, length: number): boolean;
}

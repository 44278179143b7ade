/** A test context, `{ after }` of `node:test` for a whole file, or what a command undoes at its end. */
export interface Cleanup {
  after(undo: () => unknown): unknown
}

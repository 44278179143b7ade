/** A test context, or what a command does when it ends. */
export interface Cleanup {
  after(undo: () => unknown): unknown
}

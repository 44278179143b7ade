/** Cleanup steps at the end of a scan, last one first. */
export class Cleanup {
  readonly #undo: (() => unknown)[] = []

  after(undo: () => unknown): void {
    this.#undo.push(undo)
  }

  async end(): Promise<void> {
    for (const undo of this.#undo.reverse()) await undo()
  }
}

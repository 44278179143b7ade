/** Where the lines of channels go. No method throws or rejects: logging never breaks the caller. */
export interface Sink {
  /** Lines that did not reach their place. */
  readonly dropped: number
  /** Takes one JSON line with its line end. Returns at once; the line may be written later. */
  write(line: string): void
  /** Resolves when every line taken so far is handed to the system. */
  flush(): Promise<void>
  /** Hands over every waiting line before it returns; for the way out of a dying process. */
  flushSync(): void
  /** Flushes and lets go of what the sink opened itself. */
  close(): Promise<void>
}

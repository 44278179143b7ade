/** A destination of log lines. No method throws or rejects: logging never breaks the caller. */
export interface Sink {
  /** Number of lines that could not be written. */
  readonly dropped: number
  /** Takes one JSON line including its line end. The line may be written later. */
  write(line: string): void
  /** Resolves when all lines so far are written. */
  flush(): Promise<void>
  /** Writes all pending lines synchronously, for a process that is about to exit. */
  flushSync(): void
  /** Flushes, and closes what the sink opened itself. */
  close(): Promise<void>
}

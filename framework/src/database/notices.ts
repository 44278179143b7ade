/** Wake-up calls between the processes that use one database. They carry nothing and may be lost. */
export interface Notices {
  /** Wakes everybody who listens to the topic. */
  notify(topic: string): Promise<void>
  /**
   * Calls `wake` for every notice, and whenever some may have been missed, on a connection of its own that
   * is made anew when it breaks. Returns a function that stops it.
   */
  listen(topic: string, wake: () => void): () => Promise<void>
}

/** What every use of a session leaves behind. Times are epoch seconds. */
export interface SessionUse {
  readonly used: number
  /** From then on the session is over and may be swept. */
  readonly expires: number
  /** The browser, as it named itself. */
  readonly agent: string
  /** The address it came from. */
  readonly peer: string
}

/** A whole session as it is written. */
export interface SessionRow extends SessionUse {
  /** The values, as JSON text. */
  readonly data: string
  /** Whose session it is; null as long as nobody has signed in. */
  readonly identity: string | null
  /** Handle of the trusted device it belongs to; null for none. */
  readonly device: string | null
  /** When its id was made, epoch seconds. */
  readonly created: number
}

/** What a store tells when a session is read. */
export interface StoredSession {
  readonly data: string
  /** Goes up with every save: whoever saves names the one it has read. */
  readonly revision: number
  readonly created: number
  readonly used: number
}

/** A session in the list of one identity. */
export interface ListedSession {
  readonly digest: string
  readonly device: string | null
  readonly created: number
  readonly used: number
  readonly agent: string
  readonly peer: string
}

/**
 * Where sessions are kept, by the digest of their id; a store never sees an id. Each method is one
 * atomic step. One that cannot reach its store rejects.
 */
export interface SessionStore {
  /** What is ready at once comes without a promise: most requests do nothing but this. */
  read(digest: string): StoredSession | null | Promise<StoredSession | null>
  /** Adds a session, with revision 1. False, and nothing is written, if there is one already. */
  create(digest: string, row: SessionRow): Promise<boolean>
  /**
   * Replaces a session, under `newDigest` from then on. False, and nothing is written, unless the
   * session is there with that very revision: so a save that comes late brings nothing back.
   */
  save(digest: string, revision: number, row: SessionRow, newDigest: string): Promise<boolean>
  /** Notes a use of a session that is there and was not used later; the revision stays. */
  touch(digest: string, use: SessionUse): Promise<void>
  /** Whether there was such a session. */
  destroy(digest: string): Promise<boolean>
  /** Ends the sessions of an identity but one; the number of them. */
  destroyOf(identity: string, exceptDigest: string | null): Promise<number>
  /** Ends the sessions of an identity that belong to one of its devices; the number of them. */
  destroyDevice(identity: string, device: string): Promise<number>
  list(identity: string): Promise<readonly ListedSession[]>
  /** Drops what is over at that time; the number of them. Stores that forget by themselves drop 0. */
  sweep(now: number): Promise<number>
}

import { holdsPending } from './session-data.ts'
import type {
  ListedSession,
  SessionRow,
  SessionStore,
  SessionUse,
  StoredSession,
} from './session-store.ts'

interface Entry extends SessionRow {
  readonly revision: number
}

/** Sessions in memory, for tests: workers do not share them, and a restart ends them. */
export class MemorySessions implements SessionStore {
  readonly #entries = new Map<string, Entry>()

  read(digest: string): StoredSession | null | Promise<StoredSession | null> {
    return this.#entries.get(digest) ?? null
  }

  async create(digest: string, row: SessionRow): Promise<boolean> {
    if (this.#entries.has(digest)) return false
    this.#entries.set(digest, { ...row, revision: 1 })
    return true
  }

  async save(
    digest: string,
    revision: number,
    row: SessionRow,
    newDigest: string,
  ): Promise<boolean> {
    if (this.#entries.get(digest)?.revision !== revision) return false
    this.#entries.delete(digest)
    this.#entries.set(newDigest, { ...row, revision: revision + 1 })
    return true
  }

  async touch(digest: string, use: SessionUse): Promise<void> {
    const entry = this.#entries.get(digest)
    if (entry !== undefined && entry.used < use.used)
      this.#entries.set(digest, { ...entry, ...use })
  }

  async isLive(identity: string, digest: string): Promise<boolean> {
    const entry = this.#entries.get(digest)
    return entry?.identity === identity && !holdsPending(entry.data)
  }

  async destroy(digest: string): Promise<boolean> {
    return this.#entries.delete(digest)
  }

  async destroyOf(identity: string, exceptDigest: string | null): Promise<number> {
    return this.#drop((entry, digest) => entry.identity === identity && digest !== exceptDigest)
  }

  async destroyDevice(identity: string, device: string): Promise<number> {
    return this.#drop((entry) => entry.identity === identity && entry.device === device)
  }

  async list(identity: string): Promise<readonly ListedSession[]> {
    const found = [...this.#entries].filter(([, entry]) => entry.identity === identity)
    return found.map(([digest, entry]) => Object.assign({ digest }, entry))
  }

  async sweep(now: number): Promise<number> {
    return this.#drop(({ expires }) => expires <= now)
  }

  #drop(isDropped: (entry: Entry, digest: string) => boolean): number {
    const dropped = [...this.#entries].filter(([digest, entry]) => isDropped(entry, digest))
    for (const [digest] of dropped) this.#entries.delete(digest)
    return dropped.length
  }
}

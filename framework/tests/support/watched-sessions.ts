import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import type { SessionRow, StoredSession } from '../../src/http/session/session-store.ts'

/** A session store that tells what was asked of its rows of submissions, and fails where it is told to. */
export class WatchedSessions extends MemorySessions {
  readonly writes: string[] = []
  readonly slots: Set<string> = new Set()
  readonly texts: string[] = []
  looks = 0
  failing: 'create' | 'save' | null = null

  override read(digest: string): StoredSession | null | Promise<StoredSession | null> {
    const row = super.read(digest)
    if (row !== null && !(row instanceof Promise) && isSubmission(row)) this.looks += 1
    return row
  }

  override create(digest: string, row: SessionRow): Promise<boolean> {
    if (isSubmission(row)) this.#note('create', digest, row)
    return super.create(digest, row)
  }

  override save(
    digest: string,
    revision: number,
    row: SessionRow,
    newDigest: string,
  ): Promise<boolean> {
    if (isSubmission(row)) this.#note('save', digest, row)
    return super.save(digest, revision, row, newDigest)
  }

  #note(name: 'create' | 'save', digest: string, { data }: SessionRow): void {
    if (this.failing === name) throw new Error(`cannot ${name}`)
    this.writes.push(name)
    this.slots.add(digest)
    this.texts.push(digest, data)
  }
}

function isSubmission({ data }: Pick<SessionRow, 'data'>): boolean {
  return /^[\da-f]* \d+ /.test(data)
}

import type { SessionEnder } from './credentials-options.ts'

/**
 * Whether the session that asks for a change, and is kept by it, has not ended. Its request may have come in
 * before, and taken a minute to send its body: whoever was signed out in between must not add anything.
 */
export async function isSessionLive(sessions: SessionEnder, keep: string | null): Promise<boolean> {
  return keep === null || (await sessions.read?.(keep)) !== null
}

import type { SessionEnder } from '../../src/accounts/changes/credentials-options.ts'

/** A session store without sessions, for tests that replace one of its methods. */
export const noSessions: SessionEnder = {
  destroyOf: async () => 0,
  destroyDevice: async () => 0,
  destroy: async () => false,
  isLive: async () => true,
}

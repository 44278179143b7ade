/** What an action token is good for. A token of one purpose is nothing to another. */
export const Purposes = { Recovery: 'recovery', Verification: 'verification' } as const
Object.freeze(Purposes)
export type Purposes = (typeof Purposes)[keyof typeof Purposes]

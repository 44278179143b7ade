/** The purposes of action tokens. A token is valid for one purpose only. */
export const Purposes = { Recovery: 'recovery', Verification: 'verification' } as const
Object.freeze(Purposes)
export type Purposes = (typeof Purposes)[keyof typeof Purposes]

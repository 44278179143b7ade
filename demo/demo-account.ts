/** The account that is seeded in development and test. */
export const demoAccount = { email: 'demo@example.com', password: 'let me see it all' } as const

/** The account that development and test start with. */
export const demoAccount = { email: 'demo@example.com', password: 'let me see it all' } as const

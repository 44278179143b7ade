/** Names the database for the classes that ask for it. */
export const DATABASE: unique symbol = Symbol('database')

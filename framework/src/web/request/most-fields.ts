/** Fields of one form; more is no form but an attack. */
export const mostFields = 1000

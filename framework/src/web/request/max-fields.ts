/** Fields of one form; more is no form but an attack. */
export const maxFields = 1000

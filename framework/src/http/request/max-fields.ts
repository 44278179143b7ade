/** Maximum number of fields in a form; more are taken for an attack. */
export const maxFields = 1000

/** The name of an event in labels, log lines and tables: `FactorAdded` becomes `factor_added`. */
export function eventLabel(name: string): string {
  return name.replace(/\B[A-Z]/g, '_$&').toLowerCase()
}

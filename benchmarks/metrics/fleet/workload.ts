/** Workers of a fleet that is scraped. */
export const fleetWorkers = 4
/** Series each worker has; all have the same labels, so that their values are added. */
export const fleetSeries = 2_500
/** The name of the counter. */
export const fleetCounter = 'orders_total'

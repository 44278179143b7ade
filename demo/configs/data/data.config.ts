import { env, scope } from 'framework'

const day = 86_400

// When accounts are deleted, and how their data is exported.
export default scope('data', {
  // Longer than the 72 hours in which a stolen account can be taken back.
  deletionDelay: env.integer('DELETION_DELAY', {
    default: 7 * day,
    min: 4 * day,
    max: 90 * day,
    meaning: 'seconds between the request to delete an account and its deletion',
  }),
  exportTtl: env.integer('EXPORT_TTL', {
    default: 2 * day,
    min: 3600,
    max: 30 * day,
    meaning: 'seconds for which an exported file can be downloaded',
  }),
  exportQueue: env.boolean('EXPORT_QUEUE', {
    default: false,
    meaning: 'leave exports to `framework queue run exports`',
  }),
})

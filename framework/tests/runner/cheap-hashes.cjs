'use strict'

// Preloaded by the processes of a test run, through NODE_OPTIONS, except for the unit tests: what a
// password hash costs is tested there. Everywhere else some thousand hashes would take minutes. The product
// has no such switch: it computes no weak hash, and these claim the cost that they should have had.

const crypto = require('node:crypto')
const { syncBuiltinESMExports } = require('node:module')

const { argon2 } = crypto

/** Argon2 at its lowest cost. Hashes of different costs differ, as real ones do. */
function cheapArgon2(algorithm, { memory, passes, ...parameters }, done) {
  argon2(
    algorithm,
    {
      ...parameters,
      memory: 8 * parameters.parallelism,
      passes: 1,
      associatedData: Buffer.from(`${memory} ${passes}`),
    },
    done,
  )
}

// Some tests run older versions of Node, which have no Argon2.
if (argon2 !== undefined) {
  crypto.argon2 = cheapArgon2
  syncBuiltinESMExports()
}

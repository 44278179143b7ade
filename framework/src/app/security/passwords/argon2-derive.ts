import { argon2 } from 'node:crypto'
import type { Argon2Algorithm, Argon2Parameters } from 'node:crypto'

/** Computes Argon2 away from the event loop. */
export type Argon2Derive = (
  algorithm: Argon2Algorithm,
  parameters: Argon2Parameters,
) => Promise<Buffer>

/** Argon2 of Node itself, on a thread of the pool. */
export const deriveArgon2: Argon2Derive = (algorithm, parameters) => {
  return new Promise((resolve, reject) => {
    argon2(algorithm, parameters, (error, tag) => {
      if (error === null) resolve(tag)
      else reject(error)
    })
  })
}

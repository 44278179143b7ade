import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { Password } from '../../framework/dist/public/security.js'

/** The two that are compared. */
export const Hashers = { Ours: 'ours', Bare: 'bare' } as const
export type Hashers = (typeof Hashers)[keyof typeof Hashers]

/** How they are called in reports. */
export const labels: Readonly<Record<Hashers, string>> = {
  ours: 'Password.inspect',
  bare: 'crypto.argon2',
}

/** Verifies one password against its stored hash. */
export type Verify = () => Promise<boolean>

const text = 'tin lamp under eleven roofs'

/** Both, with the same password and the same costs. */
export async function hashers(): Promise<Readonly<Record<Hashers, Verify>>> {
  // Nothing is refused, since the bare call refuses nothing either.
  const password = new Password({ wait: 60 })
  const stored = await password.hash(text)
  const parameters = {
    message: text,
    nonce: randomBytes(16),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  }
  const tag = await derive(parameters)
  return {
    ours: async () => (await password.inspect(text, stored)).valid,
    bare: async () => timingSafeEqual(await derive(parameters), tag),
  }
}

function derive(parameters: Parameters<typeof argon2>[1]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => {
      if (error === null) resolve(tag)
      else reject(error)
    })
  })
}

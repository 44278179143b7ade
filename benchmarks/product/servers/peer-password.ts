import { argon2, timingSafeEqual } from 'node:crypto'

/** Whether a password matches an argon2id hash in PHC format; hashed on the thread pool. */
export function verifyPassword(phc: string, password: string): Promise<boolean> {
  const [, algorithm, , costs = '', salt = '', tag = ''] = phc.split('$')
  const [memory, passes, parallelism] = costs.split(',').map((cost) => Number(cost.slice(2)))
  if (algorithm !== 'argon2id' || memory === undefined || passes === undefined) {
    return Promise.resolve(false)
  }
  const expected = Buffer.from(tag, 'base64')
  const parameters = {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory,
    passes,
    parallelism: parallelism ?? 1,
    tagLength: expected.length,
  }
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, derived) => {
      if (error === null) resolve(timingSafeEqual(derived, expected))
      else reject(error)
    })
  })
}

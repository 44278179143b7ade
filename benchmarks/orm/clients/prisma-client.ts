import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The module that `writePrismaClient` writes. */
export const prismaClient: string = `${import.meta.dirname}/../dist/prisma/client.ts`

/**
 * Has Prisma write its client.
 * @throws Error when it does not.
 */
export async function writePrismaClient(): Promise<void> {
  const program = `${import.meta.dirname}/../../node_modules/prisma/build/index.js`
  const schema = `${import.meta.dirname}/schema.prisma`
  try {
    await promisify(execFile)(process.execPath, [program, 'generate', '--schema', schema], { env })
  } catch (error) {
    throw new Error('its program did not write the client', { cause: error })
  }
}

const env = {
  ...process.env,
  CHECKPOINT_DISABLE: '1',
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  // It would download an engine that only migrations use. Any file that exists prevents that.
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
}

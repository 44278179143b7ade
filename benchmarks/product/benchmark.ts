import { buildFramework } from '../setup/build-framework.ts'
import { buildServers } from '../setup/build-servers.ts'
import { installPeers } from '../setup/install-peers.ts'
import { parseOptions } from './options.ts'
import { serveByHand } from './serve.ts'

/** Measures ours and the peers, prints the report and writes it; resolves to the exit status. */
export async function runProduct(args: string[]): Promise<number> {
  const options = parseOptions(args)
  await installPeers()
  await buildFramework()
  const folder = await buildServers('product')
  if (options.serve !== null) return serveByHand(options.serve, options, folder)
  return 1
}

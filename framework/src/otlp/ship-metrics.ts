import { OtlpExporter } from '../metrics/exporters/otlp.ts'
import { snapshotPattern } from '../metrics/fleet-files.ts'
import { membersIn } from '../metrics/fleet/fleet-list.ts'
import { SnapshotReader } from '../metrics/snapshot-reader.ts'
import { deliver } from './deliver.ts'
import { fleetStart } from './fleet-start.ts'
import { createShipRequest } from './post-request.ts'
import { receiverAt } from './receiver.ts'
import { completeShipOptions } from './ship-options.ts'
import type { CompleteShipOptions, ShipOptions } from './ship-options.ts'
import { ShipResults } from './ship-outcome.ts'
import type { ShipOutcome } from './ship-outcome.ts'

/**
 * Merges the snapshots of a fleet and posts them to a collector as OTLP/HTTP JSON. Retries after a
 * 429, 502, 503 or 504 or without a response, after the delay that the collector requests or an
 * exponential backoff.
 * @throws InvalidArgumentException for invalid options, before anything is read.
 */
export async function shipMetrics(given: ShipOptions): Promise<ShipOutcome> {
  const options = completeShipOptions(given)
  const receiver = receiverAt(options.endpoint, options.headers)
  const json = await readFleet(options)
  if (json === '') return nothingFresh(options)
  return deliver(await createShipRequest(receiver, json, options.compression), options)
}

/** The merged snapshots as OTLP JSON; `''` when there are none. */
async function readFleet({ folder, maxAge, service, start }: CompleteShipOptions): Promise<string> {
  const reader = new SnapshotReader(snapshotPattern(folder), maxAge, membersIn(folder))
  const snapshot = await reader.merge()
  if (Object.keys(snapshot.metrics).length === 0) return ''
  const since = start ?? (await fleetStart(folder, snapshot))
  return new OtlpExporter({ service, start: since }).export(snapshot)
}

function nothingFresh({ folder, maxAge }: CompleteShipOptions): ShipOutcome {
  const age = maxAge > 0 ? ` from the last ${maxAge} seconds` : ''
  const notice = `there is no snapshot${age} in ${folder}; is the server running with metrics on?`
  return { result: ShipResults.Empty, status: null, attempts: 0, notice }
}

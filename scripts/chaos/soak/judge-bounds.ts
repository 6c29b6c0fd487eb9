import { slopePerHour } from '../memory.ts'
import type { Figure } from '../scenario.ts'
import type { ProcessSample, Samples, ServiceSample } from './sample-deployment.ts'

/** Seconds of a life in which caches fill, and the least that must follow for a slope to mean something. */
const WARM_UP_SECONDS = 300
const LEAST_SECONDS = 900
/** Megabytes an hour, by least squares. */
const HELD_LIMIT = 10
const RESIDENT_LIMIT = 30
const KEYS_LIMIT = 20_000
/** The pooler's 20, one for each worker's claims, two for each server's told changes, and locks of imports. */
const CONNECTIONS_LIMIT = 40

/** Memory, keys and connections stay bounded; returns in words what does not. */
export function judgeBounds({ processes, services }: Samples, figure: Figure): string[] {
  const ofProcesses = [...Map.groupBy(processes, ({ name }) => name)].flatMap(([name, samples]) =>
    judgeMemory(name, samples, figure),
  )
  return [...ofProcesses, ...judgeServices(services, figure)]
}

/** Only the longest life of a process can show that its memory climbs. */
function judgeMemory(name: string, samples: readonly ProcessSample[], figure: Figure): string[] {
  const range = (of: (sample: ProcessSample) => number): string => {
    const values = samples.map(of)
    return `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`
  }
  figure(
    name,
    `${range(({ resident }) => resident)} MB resident, ${range(({ descriptors }) => descriptors)} descriptors`,
  )
  const lives = [...Map.groupBy(samples, ({ pid }) => pid).values()]
  const [longest = []] = lives.toSorted((one, other) => lengthOf(other) - lengthOf(one))
  const born = longest[0]?.seconds ?? 0
  const warm = longest.filter(({ seconds }) => seconds - born > WARM_UP_SECONDS)
  if (lengthOf(warm) < LEAST_SECONDS) return []
  const held = slopePerHour(warm, (sample) => sample.held)
  const resident = slopePerHour(warm, (sample) => sample.resident)
  const minutes = Math.round(lengthOf(warm) / 60)
  figure(
    `${name}, an hour`,
    `${signed(held)} MB held, ${signed(resident)} MB resident (over ${minutes} minutes)`,
  )
  return [
    ...(held > HELD_LIMIT ? [`${name} held ${signed(held)} MB more an hour`] : []),
    ...(resident > RESIDENT_LIMIT ? [`${name} had ${signed(resident)} MB more resident an hour`] : []),
  ]
}

function judgeServices(samples: readonly ServiceSample[], figure: Figure): string[] {
  const last = samples.at(-1)
  if (last === undefined) return ['the services were never looked at']
  const most = (of: (sample: ServiceSample) => number): number => Math.max(...samples.map(of))
  const tell = (of: (sample: ServiceSample) => number, digits = 0): string =>
    `${most(of).toFixed(digits)} at most, ${of(last).toFixed(digits)} at the end`
  figure(
    'Redis keys',
    tell(({ keys }) => keys),
  )
  figure(
    'Redis MB',
    tell(({ redisMegabytes }) => redisMegabytes, 1),
  )
  figure(
    'Redis MB resident, master and replica',
    tell(({ redisResident }) => redisResident),
  )
  figure(
    'Redis clients',
    tell(({ redisClients }) => redisClients),
  )
  figure(
    'connections to PostgreSQL',
    tell(({ postgresConnections }) => postgresConnections),
  )
  const [keys, connections] = [
    most((sample) => sample.keys),
    most(({ postgresConnections }) => postgresConnections),
  ]
  return [
    ...(keys > KEYS_LIMIT ? [`Redis had ${keys} keys`] : []),
    ...(connections > CONNECTIONS_LIMIT ? [`PostgreSQL had ${connections} connections`] : []),
  ]
}

function lengthOf(samples: readonly ProcessSample[]): number {
  return (samples.at(-1)?.seconds ?? 0) - (samples[0]?.seconds ?? 0)
}

function signed(megabytes: number): string {
  return `${megabytes > 0 ? '+' : ''}${megabytes.toFixed(1)}`
}

import { expect, it } from 'vitest'
import { SCENARIOS } from '#scripts/simulation/scenarios.ts'
import { CARRIERS, simulate, type CarrierName } from '#scripts/simulation/simulate.ts'

const carriers = Object.keys(CARRIERS) as CarrierName[]

/** Milliseconds; alone, the same clients have 51. */
const TOLERABLE = 77

function scenario(name: string) {
  const found = SCENARIOS.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no scenario ${name}`)
  return found
}

/** Several tests look at one and the same play, and the dearest take seconds. */
const plays = new Map<string, ReturnType<typeof simulate>>()
function play(name: string) {
  const played = plays.get(name) ?? simulate(scenario(name), 'rings')
  plays.set(name, played)
  return played
}

it.each(carriers)(
  'carried as %s, leads of known clients need as long as ever where nobody else is',
  (carrier) => {
    const { victims } = simulate(scenario('alone'), carrier, { seconds: 15 })
    expect(victims.missing).toBe(0)
    expect(victims.p95).toBeLessThan(60)
  },
)

it.each([
  '10 fresh silent × 12',
  '100 fresh silent × 1',
  '20 fresh that reset × 100',
  '20 that take 5 s × 50',
  'two proved turn silent, 5,000 wait',
  'twenty hostile clients',
  'twenty hostile, three workers, two killed',
  '10,000 fresh silent × 1',
])('rows that wait and jobs that ring keep others from waiting beside %s', (name) => {
  const { victims } = play(name)
  expect(victims.missing).toBe(0)
  expect(victims.p95).toBeLessThan(TOLERABLE)
})

it('a killed worker silences nobody who is not in flight', () => {
  const { victims } = play('twenty hostile, three workers, two killed')
  expect(victims.worst).toBeLessThan(3000)
})

it('a healthy newcomer behind a hundred silent ones of his own has his lead within seconds', () => {
  const { others } = play('a healthy newcomer behind his own silent ones')
  expect(others).toMatchObject({ count: 1, missing: 0 })
  expect(others.worst).toBeLessThan(15_000)
})

it('tells the same story twice from the same seed', () => {
  const tell = () => simulate(scenario('10 fresh silent × 12'), 'rings', { seconds: 12, seed: 3 })
  expect(tell()).toEqual(tell())
})

import { ConfigError, type Config } from '#core/config/config.ts'
import { readClock } from '#core/data/read-clock.ts'
import { defineCommand, type Answer } from '../command.ts'
import { fine, wrong, type Finding } from '../doctor/check.ts'
import { checkDatabase } from '../doctor/check-database.ts'
import { checkOperator } from '../doctor/check-operator.ts'
import { checkRedisServer } from '../doctor/check-redis-server.ts'
import { checkSentinels } from '../doctor/check-sentinels.ts'
import { checkAddress, checkClocks, checkDisk, checkMail, checkServer } from '../doctor/check-surroundings.ts'
import { explainFailure } from '../explain-failure.ts'
import type { Services } from '../open-services.ts'

const MARKS = { fine: 'fine    ', doubtful: 'doubtful', wrong: 'WRONG   ' } as const

export const doctor = defineCommand({
  usage: '',
  about: [
    'Checks what Leadwire stands on: the environment, PostgreSQL (version, encoding, settings of sessions, migrations, connections, replica), each host of a URL with several, Redis (Sentinels and replicas, version, policy, append-only file, memory), running workers and the server at PUBLIC_URL, clocks, the disk of DATA_DIR, the mail server, PUBLIC_URL, TRUST_PROXY and what the legal pages need.',
    'Changes nothing. Run it on the machine of a server or worker, with its environment. Each finding is fine, doubtful or wrong; the exit code is 1 if one is wrong.',
  ],
  flags: {},
  run: async ({ services }) => judge(await examine(services)),
})

async function examine(services: Services): Promise<Finding[]> {
  let config: Config
  try {
    config = services.config()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults.map((fault) => wrong('Environment', fault, 'correct this variable'))
  }
  const { findings: ofDatabase, now: databaseNow } = await askDatabase(config, services)
  const { findings: ofRedis, now: redisNow } = await askRedis(config, services)
  return [
    fine('Environment', `${config.build.version}, no faults`),
    ...ofDatabase,
    ...ofRedis,
    checkClocks({ 'this machine': 0, PostgreSQL: databaseNow, Redis: redisNow }),
    await checkServer(config),
    checkAddress(config),
    checkOperator(config),
    await checkDisk(config),
    await checkMail(config),
  ]
}

type Asked = { findings: Finding[]; now: number | undefined }

async function askDatabase(config: Config, services: Services): Promise<Asked> {
  const db = services.anyDatabase()
  const findings = await checkDatabase(config, db)
  const asked = Date.now()
  const now = await readClock(db).catch(() => undefined)
  return { findings, now: now === undefined ? undefined : now.getTime() - (asked + Date.now()) / 2 }
}

async function askRedis(config: Config, services: Services): Promise<Asked> {
  const ofSentinels = await checkSentinels(config)
  try {
    const connection = await services.redis()
    const findings = [...ofSentinels, ...(await checkRedisServer(config, connection))]
    const asked = Date.now()
    const [seconds, micros] = await connection.time()
    const at = Number(seconds) * 1000 + Number(micros) / 1000
    return { findings, now: at - (asked + Date.now()) / 2 }
  } catch (error) {
    const advice =
      'start Redis, or correct REDIS_URL; leads are accepted and delivered meanwhile, with delays'
    const away = wrong('Redis', explainFailure(error).split('\n')[0] ?? '', advice)
    return { findings: [...ofSentinels, away], now: undefined }
  }
}

function judge(findings: readonly Finding[]): Answer {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const wrongs = findings.filter(({ result }) => result === 'wrong').length
  const doubts = findings.filter(({ result }) => result === 'doubtful').length
  return {
    isWrong: wrongs > 0,
    data: { wrong: wrongs, doubtful: doubts, findings },
    lines: [
      ...findings.flatMap(({ check, result, found, advice }) => [
        `${MARKS[result]}  ${check.padEnd(width)}  ${found}`,
        ...(advice === undefined ? [] : [`${' '.repeat(width + 12)}→ ${advice}`]),
      ]),
      `${findings.length} checks: ${wrongs} wrong, ${doubts} doubtful`,
    ],
  }
}

import { defineCommand } from '../command.ts'
import { WITHOUT_REDIS } from '../open-services.ts'
import { readSeconds } from '../read-seconds.ts'
import { describeFindings, verifyDatabase } from '../verify-database.ts'

export const verify = defineCommand({
  usage: '',
  about: [
    'Checks that nothing is lost: every balance is the sum of its ledger, every sale for money is in it with its price, every lead and delivery is in a known state, no delivery or event waits for too long, and the log has its partitions. Each line says how many rows were looked at.',
    'Read-only, in one read-only transaction for each check; writers do not wait for it. Four checks read whole tables: 3 s for 400,000 deliveries of 100,000 leads on a busy machine, so reckon with a minute or two for ten million; --limit ends a check that takes longer, and it then counts as wrong. For cron: the exit code is 1 if a check found something.',
  ],
  flags: {
    waited: { type: 'string', value: 'N', help: 'seconds that due work may wait; 600 if left out' },
    limit: { type: 'string', value: 'N', help: 'seconds that one check may take; 600 if left out' },
  },
  run: async ({ values, services }) => {
    const waited = readSeconds('waited', values.waited, 600)
    const limit = readSeconds('limit', values.limit, 600)
    const db = await services.database({ needs: WITHOUT_REDIS, slow: true })
    const findings = await verifyDatabase(db, { waited, limit })
    const wrong = findings.filter((one) => one.wrong > 0).length
    const checks = findings.map(({ rows: _rows, ...finding }) => finding)
    return { isWrong: wrong > 0, data: { wrong, checks }, lines: describeFindings(findings) }
  },
})

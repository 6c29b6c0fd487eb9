import type { Config } from '#core/config/config.ts'
import { listOperatorGaps } from '#core/config/operator-variables.ts'
import { doubtful, fine, type Finding } from './check.ts'

/** Checks that the legal pages can name the operator. */
export function checkOperator(config: Config): Finding {
  const gaps = listOperatorGaps(config)
  const check = 'Legal pages'
  if (gaps.length === 0) return fine(check, 'operator, law and periods of leads are set')
  const advice =
    'set them; until then these pages say that the operator has not, and leads keep their persons'
  const found = `${gaps.join(', ')} not set`
  return config.environment === 'production' ? doubtful(check, found, advice) : fine(check, found)
}

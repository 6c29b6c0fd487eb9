import type { z } from 'zod'
import { daysKept, mailAddress, textOf } from './value-kinds.ts'

/**
 * Shortest times. A person who was sold within a year counts when their next lead is sold (LEAD_DUPLICATE_DAYS,
 * LEAD_RESALE_DAYS); an unsold lead is held for 30 days at most (LEAD_HOLD_HOURS); the database keeps a year of the audit log.
 */
const LEAST_DAYS = { leads: 366, unsold: 31, decisions: 31, audit: 366 }

const line = textOf(1).max(300, { error: 'must have at most 300 characters' })

/** Variables of the operator: the company, and how long it keeps what. docs/operations/retention.md explains them. */
export const operatorVariables = {
  OPERATOR_NAME: line.optional(),
  OPERATOR_ADDRESS: line.optional(),
  OPERATOR_JURISDICTION: line.optional(),
  PRIVACY_EMAIL: mailAddress.optional(),
  LEAD_RETENTION_DAYS: daysKept(LEAST_DAYS.leads),
  UNSOLD_LEAD_RETENTION_DAYS: daysKept(LEAST_DAYS.unsold),
  DECISION_RETENTION_DAYS: daysKept(LEAST_DAYS.decisions),
  AUDIT_RETENTION_DAYS: daysKept(LEAST_DAYS.audit),
}

type OperatorEnvironment = z.infer<z.ZodObject<typeof operatorVariables>>

/** The company that runs this installation, as its legal pages name it. */
export interface Operator {
  name: string | undefined
  /** postal, in one line */
  address: string | undefined
  /** the law that applies, and the courts: `the State of Texas, USA` */
  jurisdiction: string | undefined
  privacyEmail: string | undefined
}

export function groupOperator(env: OperatorEnvironment): Operator {
  return {
    name: env.OPERATOR_NAME,
    address: env.OPERATOR_ADDRESS,
    jurisdiction: env.OPERATOR_JURISDICTION,
    privacyEmail: env.PRIVACY_EMAIL,
  }
}

/** Days for which rows are kept; undefined: for ever. */
export interface Retention {
  soldLeadDays: number | undefined
  unsoldLeadDays: number | undefined
  decisionDays: number | undefined
  auditDays: number | undefined
}

export function groupRetention(env: OperatorEnvironment): Retention {
  const days = (given: number): number | undefined => (given === 0 ? undefined : given)
  return {
    soldLeadDays: days(env.LEAD_RETENTION_DAYS),
    unsoldLeadDays: days(env.UNSOLD_LEAD_RETENTION_DAYS),
    decisionDays: days(env.DECISION_RETENTION_DAYS),
    auditDays: days(env.AUDIT_RETENTION_DAYS),
  }
}

/**
 * The variables that an installation in production should set, because its legal pages, or people whose details are leads,
 * need them. `doctor` and the server's start name them.
 */
export function listOperatorGaps({
  operator,
  retention,
}: {
  operator: Operator
  retention: Retention
}): string[] {
  const values = {
    OPERATOR_NAME: operator.name,
    OPERATOR_ADDRESS: operator.address,
    OPERATOR_JURISDICTION: operator.jurisdiction,
    PRIVACY_EMAIL: operator.privacyEmail,
    LEAD_RETENTION_DAYS: retention.soldLeadDays,
    UNSOLD_LEAD_RETENTION_DAYS: retention.unsoldLeadDays,
  }
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [name] : []))
}

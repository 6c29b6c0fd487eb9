import type { Account } from '../start/demo-session.ts'

/** The order of a fictional client, and its funds. */
export interface DemoWish {
  businessName: string
  timezone: string
  /** dollars, a valid payment amount */
  funds: number
  order: Readonly<Record<string, unknown>>
  /** dollars of a further payment that is still waiting */
  asksFor?: number
}

/**
 * The demo client's own order: leads around the clock, each sent to the sample CRM. Its daily cap outlasts the first
 * hours (demo-leads.ts), and its funds are topped up (keep-funded.ts).
 */
export const OWN_WISH: DemoWish = {
  businessName: 'Demo Agency (fictional)',
  timezone: 'America/New_York',
  funds: 1000,
  order: {
    name: 'Final expense, four states',
    states: ['CA', 'FL', 'NY', 'TX'],
    daily_cap: 400,
  },
}

const OFFICE: [string, string][] = [['08:00', '20:00']]

/** Two other buyers: one keeps office hours and is topped up, the other runs out of funds and waits for a payment. */
export const OTHER_CLIENTS: readonly (Omit<Account, 'password'> & { name: string; wish: DemoWish })[] = [
  {
    email: 'harbor@example.com',
    name: 'Harbor Example',
    wish: {
      businessName: 'Harbor Example Agency (fictional)',
      timezone: 'America/Chicago',
      funds: 250,
      order: {
        name: 'Everywhere, in office hours',
        states: [],
        weekly_cap: 400,
        timezone: 'America/Chicago',
        schedule: { mon: OFFICE, tue: OFFICE, wed: OFFICE, thu: OFFICE, fri: OFFICE, sat: OFFICE },
      },
    },
  },
  {
    email: 'prairie@example.com',
    name: 'Prairie Example',
    wish: {
      businessName: 'Prairie Example Insurance (fictional)',
      timezone: 'America/Denver',
      funds: 50,
      asksFor: 100,
      order: { name: 'Ohio and Georgia', states: ['GA', 'OH'], monthly_cap: 100 },
    },
  },
]

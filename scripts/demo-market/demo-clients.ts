import type { Account } from '../start/demo-session.ts'

/** What a fictional client wants, and what he pays for it with. */
export interface DemoWish {
  businessName: string
  timezone: string
  /** dollars, a multiple of what a payment may be */
  funds: number
  order: Readonly<Record<string, unknown>>
  /** dollars that he asks for besides, and that nobody has received yet */
  asksFor?: number
}

/** The demo client himself: leads around the clock, forty a day, each sent to the sample CRM. */
export const OWN_WISH: DemoWish = {
  businessName: 'Demo Agency (fictional)',
  timezone: 'America/New_York',
  funds: 1000,
  order: {
    name: 'Final expense, four states',
    states: ['CA', 'FL', 'NY', 'TX'],
    daily_cap: 40,
  },
}

const OFFICE: [string, string][] = [['08:00', '20:00']]

/** Two who buy beside him: one keeps office hours, the other runs out of funds. */
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
        weekly_cap: 40,
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

import type { SetupStep } from '#core/contract/market/client-setup.ts'

interface StepWords {
  title: string
  /** the reason for the step, in a sentence */
  text: string
  /** label of the button that begins the step */
  action: string
  /** while the rest is ours: in a word, and as a sentence */
  waiting?: { label: string; text: string }
}

/** Texts of a new client's steps, shared by the dashboard and /onboarding. */
export const SETUP_WORDS: Readonly<Record<SetupStep, StepWords>> = {
  business: {
    title: 'Describe your business',
    text: 'Its name, and the states that you are licensed in. You get leads only from these.',
    action: 'Begin',
  },
  order: {
    title: 'Order leads',
    text: 'Choose what you want to buy: type, states, how many a day and at which hours.',
    action: 'Choose leads',
  },
  webhook: {
    title: 'Add a webhook',
    text: 'Say where your leads go: your CRM, dialer or automation tool.',
    action: 'Add a webhook',
  },
  test_lead: {
    title: 'Send yourself a test lead',
    text: '“Run Assignment Test” sends a fictional lead the whole way to your webhook.',
    action: 'Run a test',
  },
  funds: {
    title: 'Add funds',
    text: 'The price of a lead is taken from your balance when the lead is assigned to you.',
    action: 'Add funds',
    waiting: {
      label: 'Asked for',
      text: 'You asked for funds. They are on your balance once your payment is received.',
    },
  },
  approval: {
    title: 'Approval',
    text: 'An administrator looks at your business before the first lead is sold to you.',
    action: 'Read more',
    waiting: {
      label: 'With us',
      text: 'An administrator looks at your business. You have nothing to do, and get a mail.',
    },
  },
}

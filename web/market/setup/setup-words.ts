import type { SetupStep } from '#core/contract/market/client-setup.ts'

interface StepWords {
  title: string
  /** the reason for the step, in a sentence */
  text: string
  /** label of the button that begins the step */
  action: string
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
  },
}

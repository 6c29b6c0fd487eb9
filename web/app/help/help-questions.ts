/** Questions by the address of their answer, in the order of the page. */
export const HELP_QUESTIONS = {
  'no-leads': 'Why do I get no leads?',
  caps: 'When do caps and budgets begin anew?',
  money: 'How does my money move?',
  returns: 'How do I return a lead?',
  connect: 'How do I connect my CRM?',
  signatures: 'How do I know that a request came from here?',
  retries: 'What happens when my endpoint does not answer?',
} as const

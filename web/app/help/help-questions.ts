/** By the address of the answer within the page, in the order in which they stand there. */
export const HELP_QUESTIONS = {
  'no-leads': 'Why do I get no leads?',
  caps: 'When do caps and budgets begin anew?',
  money: 'How does my money move?',
  returns: 'How do I return a lead?',
  connect: 'How do I connect my CRM?',
  signatures: 'How do I know that a request came from here?',
  retries: 'What happens when my endpoint does not answer?',
} as const

export type IntegrationCategory = {
  name: 'CRM' | 'Marketing' | 'Automation' | 'Custom'
  hint: string
  items: readonly string[]
}

/** Common receivers of webhooks (docs/product.md §2). For display only: each name is a recipe, not a partnership. */
export const INTEGRATION_CATALOGUE: readonly IntegrationCategory[] = [
  {
    name: 'CRM',
    hint: 'New leads become contacts or deals.',
    items: ['Salesforce', 'HubSpot', 'Pipedrive', 'Zoho CRM'],
  },
  {
    name: 'Marketing',
    hint: 'New leads join a list or a sequence.',
    items: ['Mailchimp', 'ActiveCampaign', 'Klaviyo', 'ConvertKit'],
  },
  {
    name: 'Automation',
    hint: 'A lead starts a workflow.',
    items: ['Zapier', 'Make', 'n8n', 'Pabbly Connect'],
  },
  {
    name: 'Custom',
    hint: 'Any HTTPS endpoint of yours.',
    items: ['Your own API', 'Serverless function', 'Spreadsheet script', 'Dialer'],
  },
]

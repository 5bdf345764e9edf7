import { describeMutants, EXISTING } from './mutation';

describeMutants('booking', {
  'Services.patterns.updateService.replace: true → false': EXISTING,
  'Providers.patterns.updateProvider.replace: true → false': EXISTING,
});

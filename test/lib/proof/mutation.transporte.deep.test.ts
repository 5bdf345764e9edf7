import { ALONE, describeMutants, EXISTING } from './mutation';

/** Trips, drivers and waybills have the same id in their keys and in `data`, as in the document. */
const REPEATED = 'data repeats the id';

describeMutants('transporte', {
  "TransporteApp.entities.Viaje.keys.GSI2SK: 'VIAJE#<id>' → 'VIAJE#<data.id>'": REPEATED,
  "TransporteApp.entities.Conductor.keys.SK: 'CONDUCTOR#<id>' → 'CONDUCTOR#<data.id>'": REPEATED,
  "TransporteApp.entities.Conductor.keys.GSI1SK: 'CONDUCTOR#<id>' → 'CONDUCTOR#<data.id>'": REPEATED,
  "TransporteApp.entities.CartaPorte.keys.GSI1SK: '<createdAt:date>#CARTA#<id>' → '<createdAt:date>#CARTA#<data.id>'":
    REPEATED,
  'TransporteApp.patterns.editDriver.replace: true → false': EXISTING,
  'TransporteApp.patterns.editVehicle.replace: true → false': EXISTING,
  'TransporteApp.patterns.editTrailer.replace: true → false': EXISTING,
  'TransporteApp.patterns.changeLocation.replace: true → false': EXISTING,
  'TransporteApp.patterns.changeGoods.replace: true → false': EXISTING,
  "TransporteApp.patterns.tripsOfDate.where.GSI2SK: {'beginsWith':'VIAJE#'} → none": ALONE,
  "TransporteApp.patterns.waybillByFolio.where.GSI3SK: {'beginsWith':'CARTA#'} → none": ALONE,
  "TransporteApp.patterns.waybillOfTrip.where.GSI2SK: {'beginsWith':'CARTA#'} → none": ALONE,
});

import { ALONE, describeMutants } from './mutation';

describeMutants('transporte', {
  "TransporteApp.patterns.tripsOfDate.where.GSI2SK: {'beginsWith':'VIAJE#'} → none": ALONE,
  "TransporteApp.patterns.waybillByFolio.where.GSI3SK: {'beginsWith':'CARTA#'} → none": ALONE,
  "TransporteApp.patterns.waybillOfTrip.where.GSI2SK: {'beginsWith':'CARTA#'} → none": ALONE,
});

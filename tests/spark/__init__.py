"""Test the data source for Apache Spark."""
